import { ApiError } from '../api/errors.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toAccountText } from './report.ts'

/** @throws Error in place of ApiError, its cause, if the config has several accounts: `the account of https://…` */
export async function nameInErrors<Result>(
  { config }: OpenAccount,
  result: Promise<Result>,
): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (!(error instanceof ApiError) || config.name === undefined) throw error
    throw new Error(toAccountText(config), { cause: error })
  }
}
