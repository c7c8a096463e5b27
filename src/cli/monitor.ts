import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { check } from '../check/check.ts'
import { findNothingToCheck } from '../check/not-judged.ts'
import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { rules } from '../check/rules/index.ts'
import type { AdminConfig, Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { resolveSecret } from '../config/resolve-secrets.ts'
import type { Secret } from '../config/secret.ts'
import { redactUrl } from '../http/redact-url.ts'
import { callWebhook } from '../monitor/call-webhook.ts'
import { renderMonitorMetrics } from '../monitor/metrics-text.ts'
import { type Monitor, type MonitorIo, openMonitor } from '../monitor/monitor.ts'
import { type Alarm, openAlarm, planWait } from '../monitor/schedule.ts'
import { renderWebhookBody } from '../monitor/webhook-body.ts'
import { networkProbe } from '../probe/network-probe.ts'
import { startAdmin } from '../serve/admin.ts'
import { ListenError, type Listener } from '../serve/listener.ts'
import { announce, finishLog, openLog, openOutput } from '../serve/log.ts'
import type { LogOutput } from '../serve/log-output.ts'
import { configOption, defineCommand, type Outcome } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refuseToListen } from './listen-fault.ts'
import { addLiveFacts } from './live-facts.ts'
import { unsafeStartReason } from './unsafe-start.ts'
import { version } from './version.ts'

export const command = defineCommand({
  details: `Runs the rules of check from outside the site until SIGTERM or SIGINT. When a verdict
changes, it logs a line on stdout and calls monitor.webhook; /metrics has every verdict.
If a run is inconclusive about a rule, its verdict does not change. SIGHUP starts the
next run at once.

With --once the exit code is that of check: 1 for findings, 3 if it could not check. The
webhook is called only if something fails.`,
  options: {
    config: configOption,
    every: {
      value: 'TIME',
      summary: 'time between runs, 30s to 24h (default: monitor.every of the config, 5m)',
    },
    port: {
      value: 'N',
      isPort: true,
      summary: 'port for /metrics, /livez and /readyz, 0 for a free one (default: 9091)',
    },
    once: { summary: 'run once and exit; no port is opened' },
  },
  async run({ values }, io) {
    const unsafe = unsafeStartReason(io)
    if (unsafe !== undefined) return { message: unsafe }
    const loaded = await loadConfig({ file: values.config, flags: { every: values.every }, ...io })
    if ('problems' in loaded) return loaded
    const fault = findNothingToCheck(loaded, 'name a config with --config')
    if (fault !== undefined) return { fault }
    const { config } = loaded
    const { webhook: reference } = config.monitor
    const webhook = reference && (await resolveSecret(reference, 'webhook URL', io))
    if (webhook !== undefined && 'problem' in webhook) return { problems: [webhook.problem] }
    const output = openOutput(io)
    const log = openLog(output)
    log.level = config.log.level
    const monitor = openMonitor(openMonitorIo(config, webhook?.secret, log, io), config.monitor.everyMs)
    if (!values.once) return watch(monitor, chooseAdmin(config, values.port), { config, output, log }, io)
    const result = await monitor.run(new AbortController().signal)
    const verdicts = [...monitor.state().verdicts.values()]
    const failed = verdicts.filter(({ outcome }) => outcome === 'fail').length
    const passed = verdicts.length - failed
    log.info({ result, failed, passed, undelivered: monitor.undelivered() }, 'checked once')
    await finishLog(output, io)
    return OUTCOMES[result]
  },
})

function openMonitorIo(config: Config, webhook: Secret | undefined, log: Logger, io: Io): MonitorIo {
  let stderr = io.stderr
  return {
    check: async () => {
      const quietly = { ...io, stderr, stderrColumns: undefined }
      // The messages about hosts and missing secrets are the same in every run.
      stderr = () => {}
      const flags = { overrides: [], certificates: undefined }
      const facts = await addLiveFacts(gatherOfflineFacts(config), { config }, rules, flags, quietly)
      return check(facts, rules, { only: [], skip: [], suppress: config.suppress }).findings
    },
    deliver:
      webhook &&
      ((changes, failing) => {
        const json = renderWebhookBody({ id: randomUUID(), atMs: Date.now(), version, changes, failing })
        return callWebhook(webhook, json, networkProbe(WEBHOOK_PROBE))
      }),
    log: (level, fields, msg) => log[level](fields, msg),
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
  }
}

/** Uses another port than `admin.port`, which `serve` may use on the same machine with the same config. */
function chooseAdmin({ admin }: Config, port: number | undefined): AdminConfig | undefined {
  const host = admin?.host ?? '127.0.0.1'
  if (port !== undefined) return { host, port, portIsDefault: false, pointHistograms: false }
  return admin && { ...admin, port: DEFAULT_PORT, portIsDefault: true }
}

/** Runs until a signal ends it, even during a run. */
async function watch(
  monitor: Monitor,
  admin: AdminConfig | undefined,
  { config, output, log }: { readonly config: Config; readonly output: LogOutput; readonly log: Logger },
  io: Io,
): Promise<Outcome> {
  const stopping = new AbortController()
  const alarm = openAlarm()
  const isReady = () => !stopping.signal.aborted && monitor.state().lastTookMs !== undefined
  const metrics = () => renderMonitorMetrics(monitor.state(), version)
  let listener: Listener | undefined
  try {
    listener = admin && (await startAdmin(admin, { isReady, metrics }, log))
  } catch (error) {
    if (!(error instanceof ListenError) || admin === undefined) throw error
    return refuseToListen({ listener: 'admin', ...admin, code: error.code }, '--port')
  }
  const stopAsked = untilStopped(io)
  io.onSignal('SIGHUP', alarm.ring)
  logStart(config, log)
  if (listener !== undefined) announce(output, 'admin', listener.url)
  void runOnClock(monitor, alarm, config.monitor.everyMs, stopping.signal)
  await stopAsked
  stopping.abort()
  alarm.ring()
  log.info({ undelivered: monitor.undelivered() }, 'stopped')
  listener?.destroy()
  await listener?.drain()
  await finishLog(output, io)
  // A run may still be waiting for responses.
  io.endWithCommand()
  return 'done'
}

async function runOnClock(
  monitor: Monitor,
  alarm: Alarm,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const startedMs = performance.now()
    await monitor.run(signal)
    const tookMs = performance.now() - startedMs
    await alarm.wait(planWait({ everyMs, tookMs, random: Math.random() }))
  }
}

function logStart({ points, monitor }: Config, log: Logger): void {
  const urls = points.slice(0, MOST_POINTS_LOGGED).map(({ url }) => redactUrl(url))
  const webhook = monitor.webhook === undefined ? 'none' : 'on change'
  log.info({ everyMs: monitor.everyMs, webhook, count: points.length, points: urls }, 'monitoring')
}

const OUTCOMES = {
  pass: 'done',
  fail: 'findings',
  inconclusive: 'inconclusive',
  crashed: 'inconclusive',
} as const

/** Ten seconds for an attempt: five to resolve the host, five for the rest. Only the response's status matters. */
const WEBHOOK_PROBE = {
  version,
  overrides: [],
  trust: undefined,
  deadlineMs: 5_000,
  limits: { headBytes: 16_384, bodyBytes: 1_024 },
}
const DEFAULT_PORT = 9_091
const MOST_POINTS_LOGGED = 100
