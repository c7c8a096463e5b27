import { toJsonSchema } from '@valibot/to-json-schema'
import { expect, test } from 'vitest'
import { configSchema } from '../../src/config/schema.ts'

test('config.schema.json says what the config schema says', async () => {
  const schema = toJsonSchema(configSchema, { typeMode: 'input', ignoreActions: ['raw_check'] })
  const whole = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Config of continuation-point',
    allowComments: true,
    allowTrailingCommas: true,
    ...schema,
  }
  await expect(`${JSON.stringify(whole, null, 2)}\n`, 'npm run schema writes it').toMatchFileSnapshot(
    '../../config.schema.json',
  )
})
