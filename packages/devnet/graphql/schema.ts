import { buildSchema, type GraphQLSchema } from 'graphql'

const PROGRESS = `
  failreason: String
  pullfailcount: Int
  pullhash: String
  releasefailcount: Int
  releasehash: String
  txstatus: String`

const ROUTE = `
  originaddress: String
  originchain: String
  originsymbol: String
  targetaddress: String
  targetchain: String
  targetsymbol: String`

/**
 * Builds the schema, with Hasura's argument names. `tx_id` is a Float in records and a String in filters (interface
 * 9.10, 9.12).
 */
export function indexSchema(hashField: string): GraphQLSchema {
  const common = `${PROGRESS}
  creator: String
  tx_id: Float
  ${hashField}: String`
  return buildSchema(`
    type transaction_data {${common}${ROUTE}
      amount: String
    }
    type swap_data {${common}${ROUTE}
      amountIn: String
      amountOut: String
      dex: String
      slippage: String
    }
    type liquidity_transaction_data {${common}
      amount: String
      chain: String
      providerchainaddress: String
      symbol: String
    }
    input String_comparison_exp { _eq: String }
    input record_bool_exp { tx_id: String_comparison_exp! }
    schema { query: query_root }
    type query_root {
      transaction_data(where: record_bool_exp!, limit: Int): [transaction_data!]!
      swap_data(where: record_bool_exp!, limit: Int): [swap_data!]!
      liquidity_transaction_data(where: record_bool_exp!, limit: Int): [liquidity_transaction_data!]!
    }
  `)
}
