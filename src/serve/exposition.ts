/** Words of the Prometheus text exposition format, version 0.0.4. */

/** The two lines before the samples of a metric. */
export function renderHead(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

/** Labels as a sample has them. Empty ones are left out: to Prometheus they are the same as absent ones. */
export function braced(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '')
  return `{${pairs.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
