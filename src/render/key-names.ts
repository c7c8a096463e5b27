import type { Config, PointConfig } from '../config/config.ts'
import type { SecretReference } from '../config/secret.ts'

/**
 * Names the widget keys for a front end that reads them from its environment or from a file: a variable keeps its name,
 * the config's own key is WIDGET_KEY, and the others are numbered by their point.
 */
export function nameKeys({ points, widgetKey }: Config): ReadonlyMap<PointConfig, string> {
  const references = [widgetKey, ...points.map((point) => point.widgetKey)]
  const taken = new Set(references.flatMap((each) => (each?.kind === 'env' ? [each.name] : [])))
  const toName = (reference: SecretReference, wish: string): string => {
    if (reference.kind === 'env') return reference.name
    let name = wish
    while (taken.has(name)) name += '_'
    return name
  }
  const names = new Map<PointConfig, string>()
  points.forEach((point, index) => {
    if (point.widgetKey !== undefined) names.set(point, toName(point.widgetKey, `WIDGET_KEY_${index + 1}`))
    else if (widgetKey !== undefined) names.set(point, toName(widgetKey, 'WIDGET_KEY'))
  })
  return names
}
