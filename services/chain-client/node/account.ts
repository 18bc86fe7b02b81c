import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { safeInteger } from '../safe-integer.ts'
import type { AccountState } from '../types.ts'

/**
 * Reads what the chain's auth module says of an account.
 * @throws Error for a kind of account that is not known here, and for a sequence beyond 2^53 − 1
 */
export function readAccountNumbers(account: Any): Omit<AccountState, 'height'> {
  const { accountNumber, sequence: written } = baseOf(account)
  const sequence = safeInteger(written)
  if (sequence === undefined) throw new Error('the sequence of the account cannot be read')
  return { accountNumber, sequence }
}

function baseOf({ typeUrl, value }: Any): BaseAccount {
  const base = decode(typeUrl, value)
  if (base === undefined) throw new Error(`an account of type ${typeUrl} cannot be read`)
  return base
}

function decode(typeUrl: string, value: Uint8Array): BaseAccount | undefined {
  switch (typeUrl) {
    case BaseAccount.typeUrl:
      return BaseAccount.decode(value)
    case ModuleAccount.typeUrl:
      return ModuleAccount.decode(value).baseAccount
    case BaseVestingAccount.typeUrl:
      return BaseVestingAccount.decode(value).baseAccount
    case ContinuousVestingAccount.typeUrl:
      return ContinuousVestingAccount.decode(value).baseVestingAccount?.baseAccount
    case DelayedVestingAccount.typeUrl:
      return DelayedVestingAccount.decode(value).baseVestingAccount?.baseAccount
    case PeriodicVestingAccount.typeUrl:
      return PeriodicVestingAccount.decode(value).baseVestingAccount?.baseAccount
    default:
      return undefined
  }
}
