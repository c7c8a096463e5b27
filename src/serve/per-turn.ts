/**
 * Gathers what is written within one turn of the event loop into one write. A log line for each of many exchanges then
 * costs a fraction of a system call; it waits for the end of the turn and no longer.
 */
export function perTurn(write: (text: string) => void): (text: string) => void {
  let gathered = ''
  return (text) => {
    if (gathered === '') {
      setImmediate(() => {
        const whole = gathered
        gathered = ''
        write(whole)
      })
    }
    gathered += text
  }
}
