/** Elements of the Prometheus text exposition format, version 0.0.4. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with its samples; no lines if there are none. */
export function renderFamily(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): readonly string[] {
  if (samples.length === 0) return []
  return [
    ...renderHead(name, type, help),
    ...samples.map(
      ({ labels, value }) => `${name}${Object.keys(labels).length === 0 ? '' : braced(labels)} ${value}`,
    ),
  ]
}

/** The two lines before the samples of a metric. */
export function renderHead(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

/** The labels of a sample. Empty ones are left out: to Prometheus they are the same as absent ones. */
export function braced(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '')
  return `{${pairs.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
