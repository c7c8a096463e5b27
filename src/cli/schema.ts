import { fileURLToPath } from 'node:url'
import type { Program } from '../text/typed-command.ts'
import { defineCommand } from './command.ts'
import { exitCode } from './exit-code.ts'

const details = (
  program: Program,
) => `Save it next to the config and refer to it there, so that an editor completes and checks:

  ${program} schema > config.schema.json
  { "$schema": "./config.schema.json", ... }`

/** Prints the packaged `config.schema.json`. */
export const command = defineCommand({
  details,
  options: {},
  async run(_args, io) {
    io.stdout(await io.readFile(fileURLToPath(new URL('../../config.schema.json', import.meta.url))))
    return exitCode.done
  },
})
