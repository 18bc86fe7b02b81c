import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { addressProblem } from '../../chain/addresses.ts'
import { grpcError } from '../../chain/errors.ts'
import type { QueryHandler } from '../../chain/module.ts'
import { getBalance } from './balances.ts'
import { isValidDenom } from './coins.ts'

/** The bank's gRPC queries. */
export const createBankQueries = (prefix: string): Record<string, QueryHandler> => ({
  '/cosmos.bank.v1beta1.Query/Balance'(request, state) {
    const { address, denom } = QueryBalanceRequest.decode(request)
    if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`)
    const problem = addressProblem(address, prefix)
    if (problem) throw grpcError('InvalidArgument', `invalid address: ${problem}`)
    const balance = { denom, amount: getBalance(state, address, denom).toString() }
    return QueryBalanceResponse.encode({ balance }).finish()
  }
})
