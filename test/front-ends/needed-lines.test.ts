import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OriginServer, startOriginServer } from '../conformance/suite/origin-server.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { type Cell, cellFiles } from './support/cells.ts'
import type { Check, CheckPlace } from './support/line-checks.ts'
import { lineReasons, reasonOf } from './support/line-reasons.ts'
import { type PartFile, type PartLine, toLines } from './support/part-lines.ts'
import {
  checkSite,
  freePort,
  type RunningServer,
  serversInEachMode,
  skips,
  startSite,
} from './support/real-server.ts'
import { type RenderedPart, renderParts } from './support/rendered.ts'
import { KEY, PREFIX, stepsFor, toKeyFiles } from './support/started-site.ts'

/*
 * Every line that is printed is needed: with the line, a check passes; without it, the same check fails. All parts with
 * a line less run side by side in one process, each on an address of its own.
 */

const rows = serversInEachMode.filter(({ name, mode }) => `${name}, ${mode}` in lineReasons)

describe.each(rows)('$name, $mode', ({ server, mode, name }) => {
  describe.skipIf(skips(server))('every line is needed', () => {
    const reasons = lineReasons[`${name}, ${mode}`] ?? []
    let originServer: OriginServer
    let proxy: RunningProxy | undefined
    let port = 0
    let parts: readonly RenderedPart[] = []
    let lines: readonly PartLine[] = []
    let site: RunningServer | undefined

    const cellOf = (index: number, files: readonly PartFile[]): Cell => ({
      id: `c${index}`,
      address: `127.0.1.${index}`,
      parts: [...files, ...Object.entries(toKeyFiles(server)).map(([file, text]) => ({ file, text }))],
      steps: stepsFor(parts, 'localhost'),
    })
    const filesOf = (cells: readonly Cell[], at: number) => (folder: string) =>
      cellFiles[name]?.(cells, { folder, port: at }) ?? {}
    const start = (cells: readonly Cell[], at: number): Promise<RunningServer> =>
      startSite(server, filesOf(cells, at), at, { WIDGET_KEY: KEY }, cells[0]?.address)
    const placeOf = ({ address }: Cell, process: RunningServer, at: number): CheckPlace => ({
      address,
      port: at,
      originServer,
      logged: () => `${process.log()}${readFileSync(`${process.folder}/site.log`, 'utf8')}`,
    })

    beforeAll(async () => {
      originServer = await startOriginServer(0)
      port = await freePort()
      const points = [`https://localhost:${port}${PREFIX}`, `https://localhost:${port}/shop${PREFIX}`]
      const service = { url: `http://127.0.0.1:${originServer.port}` }
      // serve needs the scheme if a host has points on both.
      const served = [
        ...points,
        `http://localhost:${port}${PREFIX}`,
        `http://localhost:${port}/shop${PREFIX}`,
      ]
      if (mode === 'route') proxy = await startProxy(service.url, { widgetKey: KEY, points: served })
      const timeouts = { connect: '5s', headers: '300ms', idle: '30s' }
      const config = { service, widgetKey: 'env:WIDGET_KEY', points, ...(proxy ? {} : { timeouts }) }
      parts = renderParts(name, mode, config, `127.0.0.1:${proxy?.port ?? 1}`)
      lines = toLines(parts)
    })
    afterAll(async () => {
      // First, so that no server waits for an answer at its end.
      await originServer.close()
      await site?.close()
      await proxy?.close()
    })

    it('has a reason', () => {
      expect(lines.length).toBeGreaterThan(3)
      expect(
        lines.filter(({ line }) => reasonOf(reasons, line) === undefined).map(({ line }) => line),
      ).toEqual([])
    })

    it('for the syntax of the server', async () => {
      const accepted: string[] = []
      for (const { line, without } of lines.filter((each) => reasonOf(reasons, each.line) === 'syntax')) {
        const { code } = await checkSite(server, filesOf([cellOf(1, without)], port))
        if (code === 0) accepted.push(line)
      }
      expect(accepted).toEqual([])
    })

    it('for what can be observed', async () => {
      const checked = lines.flatMap(({ file, line, without }) => {
        const check = reasonOf(reasons, line)
        return typeof check === 'function'
          ? [{ line, check, without, isShared: isOfProcess(file, line) }]
          : []
      })
      const among = checked.filter(({ isShared }) => !isShared)
      const whole = cellOf(1, parts)
      const cells = among.map(({ without }, index) => cellOf(index + 2, without))
      const together = await start([whole, ...cells], port)
      site = together
      const faults: string[] = []
      const complete = new Map<Check, string | undefined>()
      const judge = async (line: string, check: Check, place: CheckPlace) => {
        if (!complete.has(check)) complete.set(check, await check(placeOf(whole, together, port)))
        const withLine = complete.get(check)
        if (withLine !== undefined) faults.push(`with ${line}: ${withLine}`)
        else if ((await check(place)) === undefined) faults.push(`nothing changes without ${line}`)
      }
      for (const [index, { line, check }] of among.entries()) {
        const cell = cells[index]
        if (cell !== undefined) await judge(line, check, placeOf(cell, together, port))
      }
      for (const { line, check, without } of checked.filter(({ isShared }) => isShared)) {
        const cell = cellOf(254, without)
        const alone = await start([cell], port)
        await judge(line, check, placeOf(cell, alone, port))
        await alone.close()
      }
      expect(faults).toEqual([])
    }, 60_000)
  })
})

/** Lines that hold for the whole process: the parts without them need one of their own. */
function isOfProcess(file: string, line: string): boolean {
  return /^conf\.d|^conf-available/.test(file) || /^(?:global|tune\.|h2-)/.test(line)
}
