import type { ChainBlock, ChainClient } from '../../../services/chain-client/index.ts'
import { systemClock } from '../../../services/clock.ts'
import { createBlockReader } from '../../../services/submission/act/block-reader.ts'
import { compareBlock } from '../../../services/submission/act/verifying.ts'
import type { Difference } from '../../../services/submission/decide/comparison.ts'
import { createIdentify } from '../../../services/submission/identities.ts'
import { httpUrl, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { walletStateOf } from '../context.ts'
import { OperatorError } from '../errors.ts'

export const verify: Command = {
  arguments: '--from HEIGHT [--node URL] [--repair]',
  summary: 'compares the stored results with the blocks of the chain',
  details: `  --from HEIGHT  the first block to compare; the last is the newest block that the server has read
  --node URL     an RPC node that has these blocks (default: the configured nodes)
  --repair       overwrites the stored status, txId and events of committed submissions with those on the chain, if the
                 transaction is the same. Stop all servers first. Without --repair, only prints the differences
A server does the same all the time. Every committed submission must match exactly one message of one successful
transaction, with the stored result; other submissions must match none. Exits with code 1 if an uncorrected difference remains.`,
  changes: argv => argv.includes('--repair'),
  async run(argv, context) {
    const { values } = readArguments(argv, {
      from: { type: 'string' },
      node: { type: 'string' },
      repair: { type: 'boolean' }
    })
    const from = wholeNumber('--from', values.from, 1)
    const { node } = values
    if (node !== undefined) httpUrl('--node', node)
    const owned = values.repair ? await context.own() : undefined
    const queries = owned?.queries ?? (await context.read())
    // Read the cursor first. Submissions that settle afterwards are then beyond the cursor and are not compared.
    const { address, chainId, cursorHeight } = await walletStateOf(queries)
    if (from > cursorHeight) {
      throw new OperatorError(
        `--from ${from} is after block ${cursorHeight}, the newest block that the server has read`
      )
    }
    const identify = createIdentify(context.config.SERVICE_BRAND, address)
    const differences: Difference[] = []
    let [matching, unknown] = [0, 0]
    for await (const block of blocks(context.chain(node), { from, to: cursorHeight, chainId })) {
      const compared = await compareBlock(block, queries, { address, identify })
      differences.push(...compared.differences)
      matching += compared.matching
      unknown += compared.unknown
    }
    const lines = differences.map(({ text }) => text)
    const isRepaired = owned !== undefined
    context.report(
      { from, to: cursorHeight, matching, differences: lines, unknown, isRepaired },
      ...lines,
      `Blocks ${from} to ${cursorHeight}: ${matching} settled submissions match, ${lines.length} differences.`,
      ...(unknown > 0
        ? [
            `${unknown} executed requests of the wallet are not in the store: they were deleted, or another program sent them.`
          ]
        : [])
    )
    if (owned === undefined) return lines.length > 0 ? 1 : 0
    const corrections = differences.filter(difference => difference.kind === 'result')
    for (const { submissionId, request } of corrections)
      await owned.store.correct({ ...request.execution, submissionId }, request)
    if (!context.json) context.print(`Corrected results: ${corrections.length}.`)
    return differences.length > corrections.length ? 1 : 0
  }
}

/** Reads a range of blocks. @throws OperatorError, HistoryPrunedError, NodeUnavailableError */
async function* blocks(
  chain: ChainClient,
  { from, to, chainId }: { from: number; to: number; chainId: string }
): AsyncGenerator<ChainBlock> {
  const reader = createBlockReader(chain, systemClock)
  for (let height = from; height <= to; height++) {
    const block = await reader.next(height)
    if (!block) throw new OperatorError(`the node has no block ${height}`)
    if (block.chainId !== chainId)
      throw new OperatorError(
        `block ${height} of the node belongs to chain ${block.chainId}, but the store belongs to ${chainId}: check the RPC URL`
      )
    yield block
  }
}
