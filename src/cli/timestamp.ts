/** The `time` of a log line for pino, rendered once a millisecond: rendering it costs as much as the rest of a line. */
export function timestamp(): () => string {
  let madeAtMs = Number.NaN
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== madeAtMs) {
      madeAtMs = nowMs
      text = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return text
  }
}
