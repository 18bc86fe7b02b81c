import {
  type AccountState,
  type ChainClient,
  type ForeignPrefix,
  type NodeBlock,
  NodeUnavailableError,
  type Opinion
} from '../../chain-client/index.ts'

/** The nodes contradict each other, or too few of them have answered, and nothing shows who is right. */
export class NodesDisagreeError extends Error {
  override name = 'NodesDisagreeError'
}

type Report = AccountState | ForeignPrefix | undefined

const isAccount = (report: Report): report is AccountState => report !== undefined && 'sequence' in report

/** A report in words, without its height. */
function describe(report: Report): string {
  if (report === undefined) return 'no account'
  if (!isAccount(report)) return `no address of the chain, whose prefix is ${report.expectedPrefix}`
  return `account number ${report.accountNumber} and sequence ${report.sequence}`
}

const saysTheSame = (one: Report, other: Report) => describe(one) === describe(other)

function disagreement(opinions: readonly Opinion<Report>[]): Error {
  if (opinions.length === 0) return new NodeUnavailableError('of the pool', 'no node reports the account')
  const said = opinions.map(({ node, answer }) => {
    const height = isAccount(answer) ? ` at block ${answer.height}` : ''
    return `${node} reports ${describe(answer)}${height}`
  })
  return new NodesDisagreeError(
    `no two nodes agree on the wallet's account: ${[...new Set(said)].join('; ')}`
  )
}

/** Two nodes may be at different blocks. What the one that is behind reports, another one has for that block too. */
async function agreedReport(chain: Pick<ChainClient, 'agreement'>, address: string): Promise<Report> {
  const { agreed, opinions } = await chain.agreement<Report>({
    question: 'account',
    ask: node => node.account(address),
    agree: saysTheSame
  })
  const reports = (agreed ?? opinions.map(({ answer }) => answer)).flatMap(report =>
    isAccount(report) ? report : []
  )
  const height = Math.min(...reports.map(report => report.height))
  if (agreed) return isAccount(agreed[0]) ? { ...agreed[0], height } : agreed[0]
  if (reports.length < 2) throw disagreement(opinions)
  const atHeight = await chain.agreement<Report>({
    question: 'account',
    ask: node => node.account(address, height),
    agree: saysTheSame
  })
  if (!atHeight.agreed) throw disagreement(opinions)
  return atHeight.agreed[0]
}

/**
 * The wallet's account and the block of that state, as two nodes report them, or the only one twice (interface 19.18). When
 * they are at different blocks it is the earlier one: a later block may contain what only one of them knows.
 * @returns undefined when the chain does not know the account
 * @throws NodeUnavailableError, NodesDisagreeError
 */
export async function agreedAccount(
  chain: Pick<ChainClient, 'agreement'>,
  address: string
): Promise<{ account: AccountState; block: Omit<NodeBlock, 'node'> } | ForeignPrefix | undefined> {
  const account = await agreedReport(chain, address)
  if (!isAccount(account)) return account
  const { height } = account
  const { agreed, opinions } = await chain.agreement({
    question: 'block',
    ask: node => node.block(height),
    agree: (one, other) => one !== undefined && one.hash === other?.hash
  })
  const [block] = agreed ?? []
  if (block) return { account, block }
  if (opinions.length === 0) throw new NodeUnavailableError('of the pool', `no node has block ${height}`)
  throw new NodesDisagreeError(`no two nodes have the same block ${height}, at which they report the account`)
}
