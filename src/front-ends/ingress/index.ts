import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const ingress: FrontEnd = {
  name: 'ingress',
  title: 'Kubernetes Ingress',
  output:
    'Ingress objects (networking.k8s.io/v1) for the controller of Traefik; prefer the Gateway API if you have it.',
  file: 'continuation-point-ingress.yaml',
  without: {
    forward:
      'an Ingress sets no field and holds no secret: use --mode route, with --upstream NAME:PORT of the Service',
  },
  gaps: [
    'The controller decides how a path is decoded and matched; serve checks the path again, as received.',
    'A point without its last slash is not redirected.',
    'The limit of a request head is a setting of the whole controller; Traefik’s is 1 MiB.',
    'Other controllers need their own class and annotations: no redirect of a point on http, no buffering, no limit of bodies.',
    'serve must trust the controller: its pods’ block belongs in listen.trustedProxies.',
  ],
  render,
}
