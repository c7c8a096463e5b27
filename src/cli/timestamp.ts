/** The `time` of a log line as pino wants it. A text is made once a millisecond: making it costs as much as a line does. */
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
