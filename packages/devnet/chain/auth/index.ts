import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { addressProblem, moduleAddress } from '../addresses.ts'
import { grpcError, sdkError } from '../errors.ts'
import type { ChainModule } from '../module.ts'
import { type Account, createAccount, getAccount } from './accounts.ts'
import { fromStored } from './public-keys.ts'

export const feeCollector = 'fee_collector'

/** Creates the auth module, which stores accounts. Its ante handler runs for each transaction (`chain/tx/run.ts`). */
export const createAuthModule = (prefix: string): ChainModule => ({
  handlers: [],
  initGenesis(state, { accounts }) {
    for (const { address } of accounts) createAccount(state, address)
    createAccount(state, moduleAddress(feeCollector, prefix))
  },
  queries: {
    '/cosmos.auth.v1beta1.Query/Account'(request, state) {
      const { address } = QueryAccountRequest.decode(request)
      if (address === '') throw grpcError('InvalidArgument', 'Address cannot be empty')
      const problem = addressProblem(address, prefix)
      if (problem) throw sdkError('invalidRequest', problem)
      const account = getAccount(state, address)
      if (!account) throw grpcError('NotFound', `account ${address} not found`)
      return QueryAccountResponse.encode({ account: toAny(account) }).finish()
    }
  }
})

function toAny({ address, pubKey, accountNumber, sequence }: Account): Any {
  const account = BaseAccount.fromPartial({
    address,
    accountNumber,
    sequence,
    ...(pubKey && { pubKey: fromStored(pubKey) })
  })
  return { typeUrl: BaseAccount.typeUrl, value: BaseAccount.encode(account).finish() }
}
