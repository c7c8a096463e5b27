import { onCookie } from './faults.ts'
import { type Faults, withField } from './front-end.ts'

/** What a front end may do without being wrong. */
export const harmlessFrontEnds: readonly { readonly name: string; readonly faults: Faults }[] = [
  { name: 'does everything right', faults: {} },
  {
    name: 'adds a cookie of its own',
    faults: {
      response: ({ fields }) => ({
        fields: ['Set-Cookie', 'lb=1; Path=/', ...fields, 'Set-Cookie', 'lb2=1'],
      }),
    },
  },
  {
    name: 'adds fields of its own',
    faults: {
      request: ({ fields }) => ({ fields: [...fields, 'Via', '1.1 front', 'X-Forwarded-For', '192.0.2.1'] }),
      response: ({ fields }) => ({ fields: [...fields, 'Via', '1.1 front', 'Age', '0', 'X-Cache', 'MISS'] }),
    },
  },
  {
    name: 'stands before a service that lists no field lines',
    faults: {
      response: ({ body }) => ({
        body: Buffer.from(body.toString('latin1').replace(/"fields":\[.*?\],/, ''), 'latin1'),
      }),
    },
  },
  { name: 'adds a cookie to the request', faults: onCookie((line) => `lb=1; ${line}`) },
  { name: 'adds a cookie without a name to the request', faults: onCookie((line) => `${line}; lb`) },
  {
    name: 'forbids caching',
    faults: {
      response: ({ fields }) => ({ fields: withField(fields, 'Cache-Control', 'private, no-store') }),
    },
  },
]
