import type { Block } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { upperHex } from '../../chain/hashes.ts'
import type { Methods } from '../dispatch.ts'
import { encodeBlockMeta, encodeBlockResult, encodeBlockResults } from '../encoding/block.ts'
import { encodeCommit, NO_BLOCK_ID } from '../encoding/commit.ts'
import { encodeHeader } from '../encoding/header.ts'
import { resolveBlock } from '../heights.ts'
import { inOrder, paginate } from '../pages.ts'
import type { Params } from '../params/params.ts'
import { parseQuery } from '../query/parse.ts'
import { searchBlocks } from '../query/search.ts'

/** The most blocks that `blockchain` answers. */
const MAX_METAS = 20

export function blockMethods(chain: Chain): Methods {
  function blockByHash(params: Params): Block | undefined {
    const block = chain.blockByHash(upperHex(params.bytes('hash') ?? new Uint8Array()))
    return block !== undefined && block.height >= chain.base ? block : undefined
  }

  return {
    block: {
      params: { height: 'int64' },
      call: params => encodeBlockResult(chain, resolveBlock(chain, params.int('height')))
    },
    block_by_hash: {
      params: { hash: '[]uint8' },
      call: params => {
        const block = blockByHash(params)
        return block === undefined ? { block_id: NO_BLOCK_ID, block: null } : encodeBlockResult(chain, block)
      }
    },
    block_results: {
      params: { height: 'int64' },
      call: params => encodeBlockResults(chain, resolveBlock(chain, params.int('height')))
    },
    block_search: {
      params: { query: 'string', page: 'int', per_page: 'int', order_by: 'string' },
      call: params => {
        const found = searchBlocks(chain, parseQuery(params.string('query') ?? ''))
        const ordered = inOrder(found, params.string('order_by') || 'desc')
        const blocks = paginate(ordered, params.int('page'), params.int('per_page'))
        return {
          // The index still has the pruned ones.
          blocks: blocks
            .filter(({ height }) => height >= chain.base)
            .map(block => encodeBlockResult(chain, block)),
          total_count: String(found.length)
        }
      }
    },
    blockchain: {
      params: { minHeight: 'int64', maxHeight: 'int64' },
      call: params => ({
        last_height: String(chain.height),
        block_metas: newestFirst(chain, params.int('minHeight') ?? 0, params.int('maxHeight') ?? 0).map(
          block => encodeBlockMeta(block)
        )
      })
    },
    header: {
      params: { height: 'int64' },
      call: params => ({ header: encodeHeader(resolveBlock(chain, params.int('height'))) })
    },
    header_by_hash: {
      params: { hash: 'hex' },
      call: params => {
        const block = blockByHash(params)
        return { header: block === undefined ? null : encodeHeader(block) }
      }
    },
    commit: {
      params: { height: 'int64' },
      call: params => {
        const block = resolveBlock(chain, params.int('height'))
        const next = chain.block(block.height + 1)
        const { height, hash, committedAt } = block
        const commit = encodeCommit(chain, { height, hash, time: committedAt })
        return {
          signed_header: { header: encodeHeader(block), commit },
          canonical: next !== undefined
        }
      }
    }
  }
}

/** The blocks from `min` to `max` (0: no bound), newest first; with too many, the newest ones. */
function newestFirst(chain: Chain, min: number, max: number): Block[] {
  if (min < 0 || max < 0) throw new Error('heights must be non-negative')
  const last = Math.min(chain.height, max || chain.height)
  const first = Math.max(chain.base, min, last - MAX_METAS + 1)
  if (first > last) throw new Error(`min height ${first} can't be greater than max height ${last}`)
  const blocks: Block[] = []
  for (let height = last; height >= first; height--) blocks.push(resolveBlock(chain, height))
  return blocks
}
