import type { ChainClient } from '../../services/chain-client/index.ts'
import { agreedAccount, NodesDisagreeError } from '../../services/submission/opinions/account.ts'
import { OperatorError } from '../errors.ts'

/** The wallet's account on a chain, and the block of that state, as two nodes report them. @throws OperatorError */
export async function accountOn(chain: ChainClient, address: string) {
  const found = await agreedAccount(chain, address).catch(error => {
    if (error instanceof NodesDisagreeError) throw new OperatorError(error.message)
    throw error
  })
  if (found === undefined || 'expectedPrefix' in found) {
    throw new OperatorError(`the chain does not know the account ${address}`)
  }
  return found
}
