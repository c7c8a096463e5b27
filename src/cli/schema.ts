import { fileURLToPath } from 'node:url'
import { defineCommand } from './command.ts'

export const command = defineCommand({
  details: (
    program,
  ) => `Save it next to the config and refer to it there, so that an editor completes and checks:

  ${program} schema > config.schema.json
  { "$schema": "./config.schema.json", ... }`,
  options: {},
  async run(_args, io) {
    io.stdout(await io.readFile(fileURLToPath(new URL('../../config.schema.json', import.meta.url))))
    return 'done'
  },
})
