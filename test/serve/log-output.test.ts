import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type LogOutput, openLogOutput, type WriteLog } from '../../src/serve/log-output.ts'
import { turns, until } from '../support/until.ts'

/** A disk that takes so many bytes and no more. */
function openDisk(freeBytes: number) {
  let content = Buffer.alloc(0)
  const disk = { freeBytes, text: () => content.toString() }
  const write: WriteLog = (text, taken) => {
    const bytes = Buffer.from(text)
    const written = Math.min(bytes.length, disk.freeBytes)
    content = Buffer.concat([content, bytes.subarray(0, written)])
    disk.freeBytes -= written
    if (written === bytes.length) taken()
    else taken(new Error('no space'), written)
  }
  return { disk, output: openLogOutput(write, (lost) => `lost ${lost}\n`, undefined, 0) }
}

/** Writes lines in one turn of the event loop, and waits until they are written or lost. */
async function log(output: LogOutput, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) output.write(`${line}\n`)
  await turns(3)
}

describe('a full disk', () => {
  it.each([
    ['a line', 4, 2, 'one\nfour\nlost 2\n'],
    ['the first byte of a line', 5, 1, 'one\ntwö\nfour\nlost 1\n'],
    ['half a character', 7, 1, 'one\ntwö\nfour\nlost 1\n'],
    ['all but a line feed', 8, 1, 'one\ntwö\nfour\nlost 1\n'],
    ['nothing', 0, 3, 'four\nlost 3\n'],
    ['the last line but its end', 14, 0, 'one\ntwö\nthree\nfour\n'],
  ])('that took %s: the line is completed, and the others are counted', async (_, freeBytes, lost, text) => {
    const { disk, output } = openDisk(freeBytes)
    await log(output, 'one', 'twö', 'three')
    expect(output.lostLines()).toBe(lost)
    disk.freeBytes = 1_000
    await log(output, 'four')
    expect(disk.text()).toBe(text)
    expect(output.lostLines()).toBe(lost)
  })

  it('that has room again gets the count without another line', async () => {
    const { disk, output } = openDisk(6)
    await log(output, 'one', 'two', 'three')
    disk.freeBytes = 1_000
    expect(await output.flush()).toBe('taken')
    expect(disk.text()).toBe('one\ntwo\nlost 1\n')
  })

  it('gets the count after a while even if nobody asks', { timeout: 30_000 }, async () => {
    const { disk, output } = openDisk(4)
    await log(output, 'one', 'two')
    disk.freeBytes = 1_000
    await until(() => disk.text().includes('lost'))
    expect(disk.text()).toBe('one\nlost 1\n')
  })

  it.each(Array.from({ length: 20 }, (_, i) => i + 1))(
    'that has room now and then holds whole lines in order, and the counts of the others (seed %i)',
    async (seed) => {
      const random = randomFrom(seed)
      const { disk, output } = openDisk(0)
      let sent = 0
      for (let turn = 0; turn < 200; turn += 1) {
        disk.freeBytes = random(3) === 0 ? random(40) : 0
        const lines = Array.from({ length: random(4) }, () => {
          sent += 1
          return `line ${sent} ü`
        })
        await log(output, ...lines)
        if (random(20) === 0) await output.flush()
      }
      disk.freeBytes = 10_000
      expect(await output.flush()).toBe('taken')
      const lines = disk.text().split('\n').slice(0, -1)
      expect(lines.filter((line) => !/^(?:line \d+ ü|lost \d+)$/.test(line))).toEqual([])
      const kept = lines.flatMap((line) => /^line (\d+)/.exec(line)?.[1] ?? []).map(Number)
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
      const told = lines.map((line) => Number(/^lost (\d+)$/.exec(line)?.[1] ?? 0))
      expect(told.reduce((a, b) => a + b, 0)).toBe(sent - kept.length)
      expect(output.lostLines()).toBe(sent - kept.length)
    },
  )

  it.skipIf(!existsSync('/dev/full'))('is what /dev/full behaves like', async () => {
    const full = openSync('/dev/full', 'w')
    const output = openLogOutput(
      (text, taken) => {
        try {
          writeSync(full, text.toString())
          taken()
        } catch (error) {
          taken(error as Error)
        }
      },
      () => 'lost\n',
      undefined,
      0,
    )
    await log(output, 'one', 'two')
    await log(output, 'three')
    expect(await output.flush()).toBe('taken')
    expect(output.lostLines()).toBe(3)
    closeSync(full)
  })
})

/** Pseudo-random whole numbers below a bound. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
