/**
 * The descriptor of a listening socket that the parent process has opened for this one, or `undefined`: systemd's socket
 * activation, sd_listen_fds(3). Such a socket outlives the process, so a restart refuses no connection. Of several the
 * first is used. The variables count only if LISTEN_PID is `processId`: child processes inherit them.
 */
export function findHandedSocket(
  env: Readonly<Record<string, string | undefined>>,
  processId: number,
): number | undefined {
  if (env.LISTEN_PID !== String(processId)) return undefined
  return /^[1-9][0-9]{0,3}$/.test(env.LISTEN_FDS ?? '') ? FIRST_DESCRIPTOR : undefined
}

/** SD_LISTEN_FDS_START, the descriptor after stdin, stdout and stderr. */
const FIRST_DESCRIPTOR = 3
