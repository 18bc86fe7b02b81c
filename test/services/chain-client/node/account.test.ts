import { accountFromAny } from '@cosmjs/stargate'
import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { readAccountNumbers } from '../../../../services/chain-client/node/account.ts'
import { test } from '../../../helpers/tap.ts'

const baseAccount = BaseAccount.fromPartial({ address: 'service1a', accountNumber: 2n ** 60n, sequence: 9n })
const baseVestingAccount = BaseVestingAccount.fromPartial({ baseAccount })

const accounts = [
  [BaseAccount.typeUrl, BaseAccount.encode(baseAccount)],
  [ModuleAccount.typeUrl, ModuleAccount.encode(ModuleAccount.fromPartial({ baseAccount, name: 'm' }))],
  [BaseVestingAccount.typeUrl, BaseVestingAccount.encode(baseVestingAccount)],
  [
    ContinuousVestingAccount.typeUrl,
    ContinuousVestingAccount.encode(ContinuousVestingAccount.fromPartial({ baseVestingAccount }))
  ],
  [
    DelayedVestingAccount.typeUrl,
    DelayedVestingAccount.encode(DelayedVestingAccount.fromPartial({ baseVestingAccount }))
  ],
  [
    PeriodicVestingAccount.typeUrl,
    PeriodicVestingAccount.encode(PeriodicVestingAccount.fromPartial({ baseVestingAccount }))
  ]
] as const

test('every kind of account that CosmJS knows is read as CosmJS reads it', async t => {
  for (const [typeUrl, writer] of accounts) {
    const account = { typeUrl, value: writer.finish() }
    const { accountNumber, sequence } = accountFromAny(account)
    t.same(readAccountNumbers(account), { accountNumber, sequence }, typeUrl)
    t.same(readAccountNumbers(account), { accountNumber: 2n ** 60n, sequence: 9 })
  }
})

test('another kind, a missing base and a sequence beyond 2^53 − 1 are errors', async t => {
  t.throws(
    () => readAccountNumbers({ typeUrl: '/other.Account', value: new Uint8Array() }),
    /\/other.Account/
  )
  const empty = { typeUrl: ModuleAccount.typeUrl, value: new Uint8Array() }
  t.throws(() => readAccountNumbers(empty), /ModuleAccount/)
  const large = BaseAccount.encode(BaseAccount.fromPartial({ sequence: 2n ** 53n })).finish()
  t.throws(() => readAccountNumbers({ typeUrl: BaseAccount.typeUrl, value: large }), /sequence/)
})
