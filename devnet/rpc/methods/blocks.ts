import type { Block } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { upperHex } from '../../chain/hashes.ts'
import {
  encodeBlockMeta,
  encodeBlockResult,
  encodeBlockResults,
  encodeCommit,
  encodeHeader,
  NO_BLOCK_ID
} from '../encoding.ts'
import { resolveBlock } from '../heights.ts'
import type { Methods } from '../json-rpc.ts'
import { inOrder, paginate } from '../pages.ts'
import { parseQuery, searchBlocks } from '../query.ts'

/** The most blocks that `blockchain` answers. */
const MAX_METAS = 20

export function blockMethods(chain: Chain): Methods {
  return {
    block: params => encodeBlockResult(chain, resolveBlock(chain, params.int('height'))),
    block_by_hash(params) {
      const block = chain.blockByHash(upperHex(params.base64('hash')))
      if (block === undefined || block.height < chain.base) return { block_id: NO_BLOCK_ID, block: null }
      return encodeBlockResult(chain, block)
    },
    block_results: params => encodeBlockResults(resolveBlock(chain, params.int('height'))),
    block_search(params) {
      const found = searchBlocks(chain, parseQuery(params.string('query') ?? ''), 'block.height')
      const blocks = paginate(inOrder(found, params.string('order_by') ?? 'desc'), params)
      return {
        // The index still has the pruned ones.
        blocks: blocks
          .filter(({ height }) => height >= chain.base)
          .map(block => encodeBlockResult(chain, block)),
        total_count: String(found.length)
      }
    },
    blockchain: params => ({
      last_height: String(chain.height),
      block_metas: newestFirst(chain, params.int('minHeight') ?? 0, params.int('maxHeight') ?? 0).map(
        encodeBlockMeta
      )
    }),
    commit(params) {
      const block = resolveBlock(chain, params.int('height'))
      const { height, hash, committedAt: time } = block
      return {
        signed_header: { header: encodeHeader(block), commit: encodeCommit(chain, { height, hash, time }) },
        canonical: chain.block(height + 1) !== undefined
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
  return Array.from({ length: last - first + 1 }, (_, index) => resolveBlock(chain, last - index))
}
