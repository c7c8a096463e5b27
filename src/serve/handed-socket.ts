/**
 * The descriptor of a listening socket that whoever started this process has opened for it, or `undefined`: systemd's
 * socket activation, sd_listen_fds(3). Such a socket outlives the process, so a restart refuses nobody. Of several the
 * first one counts. The variables are inherited by children; `processId` says whom they are meant for.
 */
export function findHandedSocket(
  env: Readonly<Record<string, string | undefined>>,
  processId: number,
): number | undefined {
  if (env.LISTEN_PID !== String(processId)) return undefined
  return /^[1-9][0-9]{0,3}$/.test(env.LISTEN_FDS ?? '') ? FIRST_DESCRIPTOR : undefined
}

/** SD_LISTEN_FDS_START: what is behind input, output and errors. */
const FIRST_DESCRIPTOR = 3
