/** Elements of the Prometheus text exposition format, version 0.0.4. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * The lines of a counter (`…_total`) or gauge with its samples, or with one that has no labels; none if there are no samples.
 * Each line is made when it is read, since there may be thousands.
 */
export function* renderFamily(
  name: string,
  help: string,
  samples: number | readonly Sample[],
): Iterable<string> {
  const all = typeof samples === 'number' ? [{ labels: {}, value: samples }] : samples
  if (all.length === 0) return
  yield* renderHead(name, name.endsWith('_total') ? 'counter' : 'gauge', help)
  for (const { labels, value } of all) {
    const pairs = renderLabels(labels)
    yield `${name}${pairs === '' ? '' : `{${pairs}}`} ${value}`
  }
}

/** The two lines before the samples of a metric. */
export function renderHead(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

/** The labels of a sample. Empty ones are left out: to Prometheus they are the same as absent ones. */
export function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '')
  return pairs.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
