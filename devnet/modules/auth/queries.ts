import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { addressProblem, foreignPrefix } from '../../chain/addresses.ts'
import { type AbciError, grpcError, sdkError } from '../../chain/errors.ts'
import type { QueryHandler } from '../../chain/module.ts'
import type { ChainOptions } from '../../chain/options.ts'
import { type Account, getAccount } from './accounts.ts'
import { fromStored } from './public-keys.ts'

function toAny({ address, pubKey, accountNumber, sequence, module }: Account): Any {
  const baseAccount = BaseAccount.fromPartial({
    address,
    accountNumber,
    sequence,
    ...(pubKey && { pubKey: fromStored(pubKey) })
  })
  if (!module) {
    return { typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value: BaseAccount.encode(baseAccount).finish() }
  }
  const value = ModuleAccount.encode({ baseAccount, name: module.name, permissions: [...module.permissions] })
  return { typeUrl: '/cosmos.auth.v1beta1.ModuleAccount', value: value.finish() }
}

/** Since 0.50, an address of another chain is another error than a text that is no address. */
function addressError(problem: string, sdk: ChainOptions['sdk']): AbciError {
  const foreign = sdk === '0.47' ? undefined : foreignPrefix(problem)
  return foreign === undefined
    ? sdkError('invalidRequest', problem)
    : sdkError('unknownRequest', `${foreign}: internal logic error`)
}

/** The gRPC queries of auth. */
export function createAuthQueries({
  prefix,
  sdk
}: Pick<ChainOptions, 'prefix' | 'sdk'>): Record<string, QueryHandler> {
  return {
    '/cosmos.auth.v1beta1.Query/Account'(request, state) {
      const { address } = QueryAccountRequest.decode(request)
      if (address === '') throw grpcError('InvalidArgument', 'Address cannot be empty')
      const problem = addressProblem(address, prefix)
      if (problem) throw addressError(problem, sdk)
      const account = getAccount(state, address)
      if (!account) throw grpcError('NotFound', `account ${address} not found`)
      return QueryAccountResponse.encode({ account: toAny(account) }).finish()
    }
  }
}
