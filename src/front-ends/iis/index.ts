import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const iis: FrontEnd = {
  name: 'iis',
  title: 'IIS',
  output: 'A web.config for IIS 10 with URL Rewrite 2.1 and Application Request Routing 3.',
  file: 'web.config',
  gaps: [
    'ARR always appends to X-Forwarded-For, and adds X-ARR-LOG-ID and X-Original-URL.',
    'TLS to the service is verified against the certificate store of the machine: import service.ca there.',
    'Limits of request heads are set in the registry of http.sys (MaxFieldLength, MaxRequestBytes).',
  ],
  render,
}
