import { ApiError } from '../api/errors.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toAccountText } from './report.ts'

/** A failed call of one account of several. */
export class AccountError extends Error {
  /** `the account of https://…` */
  readonly account: string
  override readonly cause: ApiError

  constructor(account: string, cause: ApiError) {
    super(`${account}: ${cause.message}`)
    this.account = account
    this.cause = cause
  }
}

/** @throws AccountError in place of ApiError, if the config has several accounts */
export async function nameInErrors<Result>(
  { config }: OpenAccount,
  result: Promise<Result>,
): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (!(error instanceof ApiError) || config.name === undefined) throw error
    throw new AccountError(toAccountText(config), error)
  }
}
