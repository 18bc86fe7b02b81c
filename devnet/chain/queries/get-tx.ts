import type { ABCIMessageLog, StringEvent } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { GetTxRequest, GetTxResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BlockStore } from '../blocks/block-store.ts'
import { grpcError } from '../errors.ts'
import { upperHex } from '../hashes.ts'

/** The log of a transaction by message: SDK 0.47 writes it as JSON. A failure has none. */
function messageLogs(log: string): ABCIMessageLog[] {
  if (!log.startsWith('[')) return []
  const messages: { msg_index: number; events: StringEvent[] }[] = JSON.parse(log)
  return messages.map(({ msg_index: msgIndex, events }) => ({ msgIndex, log: '', events }))
}

/** The tx service's GetTx. @throws AbciError 22 for an unknown hash */
export function getTx(blocks: BlockStore, request: Uint8Array): Uint8Array {
  const { hash } = GetTxRequest.decode(request)
  if (hash === '') throw grpcError('InvalidArgument', 'tx hash cannot be empty')
  const found = blocks.tx(hash)
  if (!found) throw grpcError('NotFound', `tx not found: ${hash}`)
  const { result, height, bytes } = found
  return GetTxResponse.encode(
    GetTxResponse.fromPartial({
      tx: Tx.decode(bytes),
      txResponse: {
        height: BigInt(height),
        txhash: found.hash,
        codespace: result.codespace,
        code: result.code,
        data: upperHex(result.data),
        rawLog: result.log,
        logs: messageLogs(result.log),
        gasWanted: result.gasWanted,
        gasUsed: result.gasUsed,
        tx: { typeUrl: '/cosmos.tx.v1beta1.Tx', value: bytes },
        // In whole seconds.
        timestamp: blocks.block(height)?.time.replace(/\.\d+/, '') ?? '',
        events: result.events
      }
    })
  ).finish()
}
