import type { FrontEnd } from '../front-end.ts'
import { reasonAgainst, render } from './render.ts'

export const h2o: FrontEnd = {
  name: 'h2o',
  title: 'H2O',
  output: 'Hosts and paths for h2o.conf, for H2O 2.2.5 or later.',
  file: 'continuation-point.yaml',
  without: { forward: 'H2O sets no field of a request: use --mode route, and serve does that' },
  reasonAgainst,
  gaps: [
    'The service gets the address of H2O and not that of the client, since serve can’t tell H2O’s X-Forwarded-For from a client’s.',
    'An encoded letter of a point’s path is read as that letter, where serve sees another path.',
  ],
  render,
}
