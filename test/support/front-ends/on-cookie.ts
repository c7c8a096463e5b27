import { type Faults, firstOf, withField } from './front-end.ts'

/** Changes the Cookie line that goes to the service. */
export function onCookie(change: (line: string) => string): NonNullable<Faults['request']> {
  return ({ fields }) => {
    const line = firstOf(fields, 'cookie')
    return line === undefined ? {} : { fields: withField(fields, 'Cookie', change(line)) }
  }
}
