import { join, resolve } from 'node:path'
import { findWriteFault } from '../config/file-fault.ts'
import { loadConfig, tellAbsentFile } from '../config/load.ts'
import { findFrontEnd, frontEnds } from '../front-ends/index.ts'
import { type FrontEnd, MARK, renderFiles, type Step } from '../front-ends/part.ts'
import { parseNameServers, resolveSite, type Site } from '../front-ends/site.ts'
import { CONTROLS } from '../text/escape.ts'
import { quotePath } from '../text/typed-command.ts'
import { configOption, defineCommand } from './command.ts'
import type { Io } from './io.ts'

export const command = defineCommand({
  details: `The output goes into the config of an existing site. If it consists of several files, a comment before
each names the file and says where to include it. It never contains secrets: a comment says where
the server reads the widget key.`,
  options: {
    config: configOption,
    mode: {
      value: 'MODE',
      choices: ['route', 'forward'],
      summary: 'route the points to serve (default), or forward them to the service without serve',
    },
    upstream: { value: 'HOST:PORT', summary: 'address of serve (default: "listen" of the config)' },
    output: {
      value: 'DIR',
      summary: 'write the files below this folder, such as /etc/nginx, and print what is left to do',
    },
  },
  operands: { usage: 'FRONT_END', min: 1, max: 1, choices: frontEnds.map(({ name }) => name) },
  async run({ values, operands }, io) {
    const [name = ''] = operands
    const { mode = 'route' } = values
    const frontEnd = findFrontEnd(name)
    if (frontEnd === undefined) throw new Error('The front ends and their names differ')
    if ((values.output ?? '').search(CONTROLS) >= 0) return { fault: '--output contains a control character' }
    if (mode === 'forward' && values.upstream !== undefined)
      return { fault: '--upstream is the address of serve, and --mode forward works without serve' }
    const loaded = await loadConfig({ file: values.config, flags: {}, ...io })
    if ('problems' in loaded) return loaded
    const made = resolveSite(loaded.config, {
      mode,
      upstream: values.upstream,
      nameServers: parseNameServers(await io.readFile('/etc/resolv.conf').catch(() => '')),
    })
    if ('problems' in made) return { problems: tellAbsentFile(made.problems, loaded) }
    const { files, steps } = await renderOutput(frontEnd, made.site, values.output, io)
    if (values.output === undefined) {
      io.stdout(files.map(({ text }) => text).join('\n'))
      return 'done'
    }
    const placed = await placeFiles(values.output, files, io)
    if ('fault' in placed) return { message: placed.fault }
    io.stdout(renderReport(placed.paths, steps))
    return 'done'
  },
})

/** The files for a front end, by their paths below its folder, and what is left to do with them. */
type Output = Awaited<ReturnType<typeof renderOutput>>

async function renderOutput(frontEnd: FrontEnd, site: Site, output: string | undefined, io: Io) {
  const { title, home } = frontEnd
  // The front end reads the parts from the folder of its config: the output if there is such a config, else the usual one.
  const asked = resolve(output ?? home.folder)
  const isOutput = asked === home.folder || (await io.kindOf(join(asked, home.file))) === 'file'
  const folder = isOutput ? asked : home.folder
  const { files, steps } = renderFiles(frontEnd, site, folder)
  const move = `There is no ${home.file} beside them. Move them to the folder of ${title}’s config, or write them there with --output`
  return { files, steps: isOutput ? steps : [{ what: move, lines: [quotePath(folder)] }, ...steps] }
}

/** Writes files below a folder; nothing if one of them is there and not made by `render`. */
async function placeFiles(folder: string, files: Output['files'], io: Io) {
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }))
  for (const { path } of placed) {
    if (await isForeign(path, io))
      return {
        fault: `${path} is there already and not made by render, so nothing was written: name another folder, or move the file away`,
      }
  }
  for (const { path, text } of placed) {
    const fault = await findWriteFault(io.placeFile(path, text))
    if (fault !== undefined) return { fault: `${path} can't be written: ${fault}` }
  }
  return { paths: placed.map(({ path }) => path) }
}

/** Whether there is something that `render` did not make. Only files are read: reading a pipe would wait for a writer. */
async function isForeign(path: string, io: Io): Promise<boolean> {
  const kind = await io.kindOf(path)
  if (kind !== 'file') return kind === 'other'
  return !(await io.readFile(path).catch(() => '')).includes(MARK)
}

function renderReport(paths: readonly string[], steps: readonly Step[]): string {
  const list = (title: string, lines: readonly string[]) => [title, ...lines.map((line) => `  ${line}`)]
  return `${[
    list('Wrote', paths.map(quotePath)),
    ...steps.map(({ what, lines }) => list(lines.length === 0 ? `${what}.` : `${what}:`, lines)),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}
