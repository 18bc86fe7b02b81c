import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
  QueryDenomOwnersRequest,
  QueryDenomOwnersResponse,
  QueryDenomsMetadataRequest,
  QueryDenomsMetadataResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyRequest,
  QueryTotalSupplyResponse
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { addressProblem } from '../../chain/addresses.ts'
import { grpcError } from '../../chain/errors.ts'
import type { QueryHandler } from '../../chain/module.ts'
import { getBalance, getBalances, getOwners } from './balances.ts'
import { isValidDenom, toProto } from './coins.ts'
import { paginate } from './pagination.ts'
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
      const { address, pagination } = QueryAllBalancesRequest.decode(request)
      checkAddress(address)
      const found = paginate(getBalances(state, address), ({ denom }) => denom, pagination)
      return QueryAllBalancesResponse.encode({
        balances: toProto(found.page),
        pagination: found.pagination
      }).finish()
    },
    '/cosmos.bank.v1beta1.Query/TotalSupply'(request, state) {
      const { pagination } = QueryTotalSupplyRequest.decode(request)
      const found = paginate(getDenoms(state), denom => denom, pagination)
      const supply = found.page.map(denom => ({ denom, amount: getSupply(state, denom) }))
      return QueryTotalSupplyResponse.encode({
        supply: toProto(supply),
        pagination: found.pagination
      }).finish()
    },
    '/cosmos.bank.v1beta1.Query/SupplyOf'(request, state) {
      const { denom } = QuerySupplyOfRequest.decode(request)
      checkDenom(denom)
      const amount = { denom, amount: getSupply(state, denom).toString() }
      return QuerySupplyOfResponse.encode({ amount }).finish()
    },
    '/cosmos.bank.v1beta1.Query/DenomOwners'(request, state) {
      const { denom, pagination } = QueryDenomOwnersRequest.decode(request)
      checkDenom(denom)
      const found = paginate(getOwners(state, denom), address => address, pagination)
      const denomOwners = found.page.map(address => ({
        address,
        balance: { denom, amount: getBalance(state, address, denom).toString() }
      }))
      return QueryDenomOwnersResponse.encode({ denomOwners, pagination: found.pagination }).finish()
    },
    '/cosmos.bank.v1beta1.Query/DenomMetadata'(request, state) {
      const { denom } = QueryDenomMetadataRequest.decode(request)
      checkDenom(denom)
      const metadata = getMetadata(state, denom)
      if (!metadata) throw grpcError('NotFound', `client metadata for denom ${denom}`)
      return QueryDenomMetadataResponse.encode({ metadata }).finish()
    },
    '/cosmos.bank.v1beta1.Query/DenomsMetadata'(request, state) {
      const { pagination } = QueryDenomsMetadataRequest.decode(request)
      const found = paginate(getAllMetadata(state), ({ base }) => base, pagination)
      return QueryDenomsMetadataResponse.encode({
        metadatas: found.page,
        pagination: found.pagination
      }).finish()
    }
  }
}
