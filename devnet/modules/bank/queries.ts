import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
  QueryDenomsMetadataResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyResponse
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { addressProblem } from '../../chain/addresses.ts'
import { grpcError } from '../../chain/errors.ts'
import type { QueryHandler } from '../../chain/module.ts'
import { getBalance, getBalances } from './balances.ts'
import { isValidDenom, toProto } from './coins.ts'
import { getAllMetadata, getDenoms, getMetadata, getSupply } from './supply.ts'

function checkDenom(denom: string): void {
  if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`)
}

/** The bank's gRPC queries. */
export function createBankQueries(prefix: string): Record<string, QueryHandler> {
  function checkAddress(address: string): void {
    const problem = addressProblem(address, prefix)
    if (problem) throw grpcError('InvalidArgument', `invalid address: ${problem}`)
  }

  return {
    '/cosmos.bank.v1beta1.Query/Balance'(request, state) {
      const { address, denom } = QueryBalanceRequest.decode(request)
      checkDenom(denom)
      checkAddress(address)
      const balance = { denom, amount: getBalance(state, address, denom).toString() }
      return QueryBalanceResponse.encode({ balance }).finish()
    },
    '/cosmos.bank.v1beta1.Query/AllBalances'(request, state) {
      const { address } = QueryAllBalancesRequest.decode(request)
      checkAddress(address)
      const balances = toProto(getBalances(state, address))
      return QueryAllBalancesResponse.encode({ balances, pagination: onlyPage(balances) }).finish()
    },
    '/cosmos.bank.v1beta1.Query/TotalSupply'(_, state) {
      const supply = toProto(getDenoms(state).map(denom => ({ denom, amount: getSupply(state, denom) })))
      return QueryTotalSupplyResponse.encode({ supply, pagination: onlyPage(supply) }).finish()
    },
    '/cosmos.bank.v1beta1.Query/SupplyOf'(request, state) {
      const { denom } = QuerySupplyOfRequest.decode(request)
      checkDenom(denom)
      const amount = { denom, amount: getSupply(state, denom).toString() }
      return QuerySupplyOfResponse.encode({ amount }).finish()
    },
    '/cosmos.bank.v1beta1.Query/DenomMetadata'(request, state) {
      const { denom } = QueryDenomMetadataRequest.decode(request)
      checkDenom(denom)
      const metadata = getMetadata(state, denom)
      if (!metadata) throw grpcError('NotFound', `client metadata for denom ${denom}`)
      return QueryDenomMetadataResponse.encode({ metadata }).finish()
    },
    '/cosmos.bank.v1beta1.Query/DenomsMetadata'(_, state) {
      const metadatas = getAllMetadata(state)
      return QueryDenomsMetadataResponse.encode({ metadatas, pagination: onlyPage(metadatas) }).finish()
    }
  }
}

/** Lists are short here: each has one page. */
const onlyPage = (items: readonly unknown[]) => ({ nextKey: new Uint8Array(), total: BigInt(items.length) })
