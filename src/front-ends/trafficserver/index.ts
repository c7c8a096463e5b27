import type { FrontEnd } from '../front-end.ts'
import { reasonAgainst, render, toSteps } from './render.ts'

export const trafficServer: FrontEnd = {
  name: 'trafficserver',
  title: 'Apache Traffic Server',
  output:
    'A Lua script for remap.config, with the lines that load it, for Traffic Server 9 with its plugin tslua.',
  file: 'continuation-point.lua',
  without: { forward: 'the script for Traffic Server only routes: use --mode route, and serve forwards' },
  reasonAgainst,
  gaps: [
    'X-Forwarded-For of a client is replaced by its address, whatever listen.trustedProxies says.',
    'Slashes before the first segment of a path are dropped: //service_cookie_transfer/ reaches the point.',
    'Debian’s ip_allow.yaml refuses DELETE from everywhere but loopback: allow it there.',
    'The access log of the site gets requests that Traffic Server refuses by itself, such as those with Upgrade.',
  ],
  render,
  steps: toSteps,
}
