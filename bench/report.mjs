import { cpus, release } from 'node:os'

/** The most CPU per request, as a ratio to another peer in the same round. */
const TARGETS = [
  ['small', 'ours', 'floor', 1.08],
  ['small', 'ours-log', 'floor', 1.25],
  ['post', 'ours', 'floor', 1.12],
  ['many', 'ours', 'floor', 1.12],
  ['cookies', 'ours', 'floor', 1.12],
  ['tls', 'ours', 'floor', 1.12],
  ['small', 'ours', 'nginx', 2.8],
]

/** Far above what has been measured: a mistake on the path of every request exceeds them, and noise does not. */
const GUARD = { ours: 1.4, 'ours-log': 1.75 }

/**
 * Medians by load and peer; ratios first, absolute figures second. A ratio is to the floor of the same round. The summary
 * has absolute figures of the first load only.
 */
export function renderReport(results, loads, peers) {
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Linux ${release()}, Node ${process.version}`
  const sections = loads.map((load) => {
    const rows = peers.map((peer) => ({ peer, ...medians(results, load.name, peer.name) }))
    const lines = rows.map(
      ({ peer, ratio, cpuMicroseconds, requestsPerSecond, p50Ms, p99Ms, peakMebibytes, failures }) =>
        `| ${peer.title} ${peer.version()} | ${ratio.toFixed(2)} | ${cpuMicroseconds.toFixed(1)} | ${requestsPerSecond.toFixed(0)} | ${p50Ms.toFixed(2)} | ${p99Ms.toFixed(2)} | ${peakMebibytes.toFixed(0)} |${failures > 0 ? ` ${failures} failed` : ''}`,
    )
    return `### ${load.title}, ${load.connections} connection${load.connections === 1 ? '' : 's'}

| proxy | CPU per request, floor = 1 | µs | requests/s | p50 ms | p99 ms | peak MiB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${lines.join('\n')}
`
  })
  const overview = `${date}, ${machine}\n\n${renderTargets(results, loads, peers)}${renderMatrix(results, loads, peers)}\n`
  return {
    markdown: `${overview}${sections.join('\n')}`,
    summary: `${overview}${sections[0] ?? ''}`,
    svg: renderPlot(results, loads[0], peers),
  }
}

/** The targets whose load and peers took part. */
function renderTargets(results, loads, peers) {
  const rows = TARGETS.flatMap(([name, own, other, limit]) => {
    const load = loads.find((each) => each.name === name)
    const [peer, base] = [own, other].map((each) => peers.find(({ name }) => name === each))
    if (load === undefined || peer === undefined || base === undefined) return []
    const ratio = ratioOf(results, name, own, other)
    const connections = /connections$/.test(load.title) ? '' : `, ${load.connections} connections`
    const what = `${load.title}${connections}${peer.name === 'ours-log' ? ', access log on' : ''}`
    return [[what, `${ratio.toFixed(2)} × ${base.title}`, `${limit} ×`, ratio <= limit]]
  })
  return rows.length === 0 ? '' : `${renderCosts(rows)}\n`
}

/** All loads side by side: CPU per request, where the floor of the same load is 1. */
function renderMatrix(results, loads, peers) {
  const rows = peers.map(
    (peer) =>
      `| ${peer.title} | ${loads.map((load) => medians(results, load.name, peer.name).ratio.toFixed(2)).join(' | ')} |`,
  )
  return `| CPU per request, floor = 1 | ${loads.map(({ title }) => title).join(' | ')} |
| --- |${' ---: |'.repeat(loads.length)}
${rows.join('\n')}
`
}

/** The rows of `measureCosts` as a table; nothing is judged where `isHeld` is undefined. */
export function renderCosts(rows) {
  const lines = rows.map(
    ([what, figure, target, isHeld]) =>
      `| ${what} | ${figure} | ${target} | ${target === '' || isHeld === undefined ? '' : isHeld ? 'held' : '**missed**'} |`,
  )
  return `| continuation-point | measured | target | |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`
}

/**
 * Prints the guard's result; returns 1 when a bound is exceeded in three quarters of the rounds. What else runs on the
 * machine disturbs one half of a round or the other.
 */
export function guard(results) {
  let code = 0
  for (const [name, bound] of Object.entries(GUARD)) {
    const ratio = ratioOf(results, 'small', name, 'floor', 0.25)
    const isHeld = ratio <= bound
    if (!isHeld) code = 1
    console.log(`${name}: ${ratio.toFixed(2)} × floor, at most ${bound}: ${isHeld ? 'held' : 'EXCEEDED'}`)
  }
  return code
}

/** CPU per request of one peer as a ratio to that of another in the same round: the median of the rounds, or another quantile. */
function ratioOf(results, load, peer, other, quantile = 0.5) {
  const roundsOf = (name) => results.filter((result) => result.load === load && result.peer === name)
  const others = new Map(roundsOf(other).map(({ round, cpuMicroseconds }) => [round, cpuMicroseconds]))
  return quantileOf(
    quantile,
    roundsOf(peer).map(({ round, cpuMicroseconds }) => cpuMicroseconds / others.get(round)),
  )
}

function quantileOf(quantile, values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length * quantile)] ?? Number.NaN
}

function medians(results, load, peer) {
  const own = results.filter((result) => result.load === load && result.peer === peer)
  const median = (figure) => quantileOf(0.5, own.map(figure))
  return {
    ratio: ratioOf(results, load, peer, 'floor'),
    cpuMicroseconds: median(({ cpuMicroseconds }) => cpuMicroseconds),
    requestsPerSecond: median(({ requestsPerSecond }) => requestsPerSecond),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    peakMebibytes: Math.max(...own.map(({ peakMebibytes }) => peakMebibytes)),
    failures: own.reduce((sum, { failures }) => sum + failures, 0),
  }
}

/** Bars of CPU per request for one load; legible in light and dark. */
function renderPlot(results, load, peers) {
  if (load === undefined) return ''
  const rows = peers
    .map((peer) => ({
      title: peer.title,
      value: medians(results, load.name, peer.name).cpuMicroseconds,
      own: peer.name.startsWith('ours'),
    }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => a.value - b.value)
  const most = Math.max(...rows.map(({ value }) => value))
  const height = 60 + rows.length * 28
  const bars = rows.map(({ title, value, own }, i) => {
    const y = 48 + i * 28
    const width = Math.max(2, (value / most) * 420)
    return `<text x="232" y="${y + 14}" text-anchor="end">${title}</text><rect x="240" y="${y}" width="${width.toFixed(1)}" height="20" rx="3" class="${own ? 'own' : 'peer'}"/><text x="${(248 + width).toFixed(1)}" y="${y + 14}">${value.toFixed(0)} µs</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>CPU per request of every proxy</title>
<style>text{fill:#1c2430}.own{fill:#0f766e}.peer{fill:#9aa6b5}@media (prefers-color-scheme:dark){text{fill:#e8ecf2}.own{fill:#2dd4bf}.peer{fill:#4b5563}}</style>
<text x="20" y="26" font-size="15" font-weight="600">CPU per request: ${load.title}, ${load.connections} connections (less is better)</text>
${bars.join('\n')}
</svg>
`
}
