import { BinaryWriter } from 'cosmjs-types/binary'
import type { BlockTransaction } from '../types.ts'
import { merkleRoot } from './merkle.ts'

/** The tags of what an ExecTxResult has that all nodes must agree on. */
const CODE = 8
const DATA = 18
const GAS_WANTED = 40
const GAS_USED = 48

/**
 * The hash that the next block's header has of these results: of code, data and gas, and not of logs, codespaces and
 * events.
 */
export function resultsHash(
  results: readonly Pick<BlockTransaction, 'code' | 'data' | 'gasWanted' | 'gasUsed'>[]
): Buffer {
  return merkleRoot(
    results.map(({ code, data, gasWanted, gasUsed }) => {
      const writer = BinaryWriter.create()
      if (code !== 0) writer.uint32(CODE).uint32(code)
      if (data.length > 0) writer.uint32(DATA).bytes(data)
      if (gasWanted) writer.uint32(GAS_WANTED).int64(gasWanted)
      if (gasUsed) writer.uint32(GAS_USED).int64(gasUsed)
      return writer.finish()
    })
  )
}
