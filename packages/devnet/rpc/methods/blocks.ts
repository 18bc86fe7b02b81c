import type { Chain } from '../../chain/chain.ts'
import { encodeBlockMeta, encodeBlockResult, encodeBlockResults } from '../encoding.ts'
import { resolveBlock } from '../heights.ts'
import type { Methods } from '../json-rpc.ts'

/** The maximum number of blocks in a `blockchain` response. */
const MAX_METAS = 20

export const blockMethods = (chain: Chain): Methods => ({
  block: params => encodeBlockResult(chain, resolveBlock(chain, params.int('height'))),
  block_results: params => encodeBlockResults(resolveBlock(chain, params.int('height'))),
  /** Returns up to MAX_METAS blocks, newest first. */
  blockchain(params) {
    const last = Math.min(chain.height, params.int('maxHeight') ?? chain.height)
    const first = Math.max(chain.base, params.int('minHeight') ?? 0, last - MAX_METAS + 1)
    if (first > last) throw new Error(`min height ${first} can't be greater than max height ${last}`)
    const metas = Array.from({ length: last - first + 1 }, (_, index) =>
      encodeBlockMeta(resolveBlock(chain, last - index))
    )
    return { last_height: String(chain.height), block_metas: metas }
  }
})
