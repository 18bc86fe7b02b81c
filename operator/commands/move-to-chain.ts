import { nodeUrl, oneOf, readArguments, required, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { readDecisions } from '../moving/decisions.ts'
import { moveToNewChain } from '../moving/new-chain.ts'
import { movePastPrunedBlocks } from '../moving/pruned.ts'
import { bringUpToDate } from '../moving/restored.ts'

const CASES = ['new-chain', 'pruned', 'restored'] as const

export const moveToChain: Command = {
  arguments: 'CASE [options]',
  summary: 'moves the store where the server cannot go by itself',
  details: `CASE is one of:
  new-chain  the chain continues its state under another chain id:
    --chain-id ID      the new chain id, which the configured nodes follow
    --last-height N    the last block of the old chain whose state the new chain contains
    --node URL         a node that still has the old chain
  pruned     the configured nodes have deleted blocks that the server has not read:
    --node URL         a node that has them
  restored   the data directory or the database was restored from a backup:
    --node URL         a node that has all blocks since the backup (default: the configured nodes)
    The wallet pays for 64 transfers to itself, or for more when the store expects a sequence that is too high.
Without the blocks of a slot that the chain has consumed, new-chain and pruned list the slot and need, for each:
    --executed SLOT:HASH:HEIGHT  one of its transactions succeeded, in that block
    --not-executed SLOT          none of them did
and where the store has not signed the newest of them:
    --foreign-program            another program has used the wallet; the store is no older copy
All servers must be stopped.`,
  async run(argv, context) {
    const { values, positionals } = readArguments(
      argv,
      {
        'chain-id': { type: 'string' },
        'last-height': { type: 'string' },
        node: { type: 'string' },
        executed: { type: 'string', multiple: true },
        'not-executed': { type: 'string', multiple: true },
        'foreign-program': { type: 'boolean' }
      },
      ['CASE']
    )
    const which = oneOf('CASE', positionals[0] ?? '', CASES)
    const { 'chain-id': chainId, 'last-height': lastHeight } = values
    const node = nodeUrl('--node', values.node)
    if (which !== 'new-chain' && (chainId ?? lastHeight) !== undefined) {
      throw new UsageError(`--chain-id and --last-height do not belong to ${which}`)
    }
    const decisions = readDecisions(values.executed, values['not-executed'])
    const { 'foreign-program': foreignProgram = false } = values
    if (which === 'restored' && (decisions.size > 0 || foreignProgram)) {
      throw new UsageError('--executed, --not-executed and --foreign-program do not belong to restored')
    }
    const unreadable = { node, decisions, foreignProgram }
    switch (which) {
      case 'new-chain':
        await moveToNewChain(context, {
          chainId: required('--chain-id', chainId),
          lastHeight: wholeNumber('--last-height', required('--last-height', lastHeight), 1),
          ...unreadable
        })
        return 0
      case 'pruned':
        await movePastPrunedBlocks(context, unreadable)
        return 0
      case 'restored':
        await bringUpToDate(context, { node })
        return 0
    }
  }
}
