import { isDeepStrictEqual } from 'node:util'
import { fromBech32 } from '@cosmjs/encoding'
import {
  type AccountReport,
  type AccountState,
  type NodeResponse,
  NodeUnavailableError
} from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { Chain, WalletState } from '../contract.ts'
import { agreedBlock, NodesDisagreeError } from './blocks.ts'

/** The chain has no such account: funds for it create one. */
class WalletUnknownError extends Error {
  override name = 'WalletUnknownError'
}

class UnsupportedAccountError extends Error {
  override name = 'UnsupportedAccountError'
}

const isAccount = (report: AccountReport): report is AccountState =>
  report !== undefined && 'sequence' in report

function describe(report: AccountReport): string {
  if (report === undefined) return 'no account'
  if ('typeUrl' in report) return `an account of the type ${shorten(report.typeUrl)}`
  if (!isAccount(report)) return `no address of the chain, whose prefix is ${report.expectedPrefix}`
  return `account number ${report.accountNumber} and sequence ${report.sequence}`
}

const heightOf = (report: AccountReport) => (isAccount(report) ? report.height : undefined)

function disagreement(responses: readonly NodeResponse<AccountReport>[]): Error {
  if (responses.length === 0) return new NodeUnavailableError(undefined, 'none reports the account')
  const reports = responses.map(({ node, answer }) => {
    const height = heightOf(answer)
    return `${node} reports ${describe(answer)}${height === undefined ? '' : ` at block ${height}`}`
  })
  return new NodesDisagreeError(
    `no two nodes agree on the wallet's account: ${[...new Set(reports)].join('; ')}`
  )
}

/**
 * Returns the account as two nodes report it after the same block, or as the only configured node reports it twice.
 * Reports after different blocks cannot be compared: if the nodes are at different blocks, asks again about the
 * earliest of these.
 */
async function agreedReport(chain: Pick<Chain, 'crossCheck'>, address: string): Promise<AccountReport> {
  const reportAt = (height?: number) =>
    chain.crossCheck<AccountReport>({
      question: 'account',
      ask: node => node.account(address, height),
      agree: isDeepStrictEqual
    })
  const { agreed, responses } = await reportAt()
  if (agreed) return agreed[0]
  const heights = responses.flatMap(({ answer }) => heightOf(answer) ?? [])
  if (heights.length < 2) throw disagreement(responses)
  const atHeight = await reportAt(Math.min(...heights))
  if (!atHeight.agreed) throw disagreement(responses)
  return atHeight.agreed[0]
}

/**
 * Reads the wallet's account before it is first stored, and the block of its state. The engine then reads every later
 * block (interface 7.24). Two nodes must agree, or the only configured node must report it twice (interface 19.18).
 * @throws WalletUnknownError, UnsupportedAccountError, NodeUnavailableError, NodesDisagreeError
 */
export async function readWalletState(
  chain: Pick<Chain, 'crossCheck' | 'status'>,
  address: string
): Promise<WalletState> {
  const { chainId } = await chain.status()
  const account = await agreedReport(chain, address)
  if (!account)
    throw new WalletUnknownError(`${address} has no account on the chain: it needs funds for its fees`)
  if ('typeUrl' in account)
    throw new UnsupportedAccountError(`${address} is ${describe(account)}, which cannot be read`)
  if (!isAccount(account)) {
    const { prefix } = fromBech32(address)
    throw new WalletUnknownError(
      `the wallet’s address begins with ${prefix}, but addresses on the chain with ${account.expectedPrefix}`
    )
  }
  const { accountNumber, sequence: nextSequence, height: cursorHeight } = account
  const { agreed, responses } = await agreedBlock(chain, cursorHeight)
  if (responses.length === 0) throw new NodeUnavailableError(undefined, `none has block ${cursorHeight}`)
  const [block] = agreed ?? []
  if (block?.chainId !== chainId) {
    throw new NodesDisagreeError(
      block
        ? `block ${cursorHeight} belongs to chain ${block.chainId}, but a node is on chain ${chainId}`
        : `no two nodes have the same block ${cursorHeight}, the block of the reported account`
    )
  }
  const cursor = { cursorHeight, cursorHash: block.hash, cursorResultsHash: block.resultsHash }
  return { address, chainId, accountNumber, nextSequence, ...cursor, controlPassed: false }
}
