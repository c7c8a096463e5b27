import type { FrontEnd } from '../front-end.ts'
import { renderParts } from './render.ts'

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  parts: renderParts,
  home: { folder: '/etc/nginx', file: 'nginx.conf' },
  lastStep: () => ({ what: 'Then test the config and reload it', lines: ['nginx -t && nginx -s reload'] }),
}
