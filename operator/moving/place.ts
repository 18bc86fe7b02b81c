import type { ChainClient } from '../../services/chain-client/index.ts'
import { OperatorError } from '../errors.ts'

/** The wallet's account on a chain, and the block of that state. @throws OperatorError */
export async function accountOn(chain: ChainClient, address: string) {
  const account = await chain.account(address)
  if (account === undefined) throw new OperatorError(`the chain does not know the account ${address}`)
  const block = await chain.block(account.height)
  if (block === undefined) throw new OperatorError(`the node has no block ${account.height}`)
  return { account, block }
}
