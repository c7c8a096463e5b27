import { type Faults, firstOf, withField } from './front-end.ts'

/** Changes the Cookie line that goes to the service. */
export function onCookie(
  change: (line: string) => string,
  which: 'all' | 'short' = 'all',
): NonNullable<Faults['request']> {
  return ({ fields }) => {
    const line = firstOf(fields, 'cookie')
    if (line === undefined || (which === 'short' && line.length > 1000)) return {}
    return { fields: withField(fields, 'Cookie', change(line)) }
  }
}
