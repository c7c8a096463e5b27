import { expect, it } from 'vitest'
import { openServed } from '../support/served.ts'
import { until } from '../support/until.ts'
import { ROUNDS, ROUNDS_TIMEOUT_MS, startTraffic } from './steady-traffic.ts'

it(
  `${ROUNDS} SIGHUPs, every other with an invalid file, close no connection and fail no request`,
  async () => {
    const served = await openServed()
    const { program, port } = await served.start()
    const traffic = await startTraffic(port, 6)
    for (let round = 1; round <= ROUNDS; round += 1) {
      await served.write(
        round % 2 === 0 ? (BAD[round % BAD.length] ?? '') : { backTransfer: round % 4 === 1 },
      )
      const answered = traffic.answered()
      program.signal('SIGHUP')
      await until(() => count(program.stdout(), /"msg":"config (?:not )?reloaded/g) >= round)
      // The traffic goes on before the next one.
      await until(() => traffic.answered() >= answered + 6)
    }
    const stories = await traffic.stop()
    expect(stories.map(({ end }) => end)).toEqual(Array(6).fill('stopped'))
    expect(new Set(stories.flatMap(({ statuses }) => statuses))).toEqual(new Set(['HTTP/1.1 200 OK']))
    expect(program.stdout().match(/"msg":"config reloaded"/g)).toHaveLength(Math.ceil(ROUNDS / 2))
    expect(program.stdout().match(/"msg":"config not reloaded/g)).toHaveLength(Math.floor(ROUNDS / 2))
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(program.stderr()).toBe('')
  },
  ROUNDS_TIMEOUT_MS,
)

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

const BAD = ['', '{', '[]', '{ "points": 1 }', '{ "service": { "url": "http://cobrowse.example.net" } }']
