import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction, ChainBlock } from '../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../services/messages/index.ts'
import { encodeTransaction } from '../simulation/chain/messages.ts'

/** Returns an empty block whose hash is `B` plus its height, linked to the previous block. */
export function chainBlock(height: number, change: Partial<ChainBlock> = {}): ChainBlock {
  const hashes = {
    hash: `B${height}`,
    previousHash: `B${height - 1}`,
    resultsHash: 'NONE',
    lastResultsHash: 'NONE'
  }
  return { chainId: 'chain-1', height, time: 0, transactions: [], ...hashes, ...change }
}

/** Returns a successful transaction without content, events or results. */
export function blockTransaction(change: Partial<BlockTransaction> = {}): BlockTransaction {
  const empty = { bytes: new Uint8Array(), data: new Uint8Array(), events: [] }
  return { hash: 'TX', code: 0, codespace: '', log: '', gasWanted: 9n, gasUsed: 5n, ...empty, ...change }
}

/** The wallet's public key in `signedBytes`. */
export const PUBLIC_KEY = new Uint8Array(33).fill(2)

/** Returns the bytes of a transaction that the wallet signed with `sequence`. A signer without a key omits it. */
export function signedBytes(
  sequence: number,
  { key = PUBLIC_KEY, ...body }: { key?: Uint8Array | null; messages?: Any[]; unordered?: boolean } = {}
): Uint8Array {
  const signers = [{ sequence, accountNumber: 0, publicKey: key ?? undefined }]
  return encodeTransaction({ messages: [], signers, ...body })
}

/** Encodes the responses to a transaction's requests, which succeed unless they have another code. */
export function responsesOf(...responses: { txId: bigint; code?: string }[]): Uint8Array {
  const msgResponses = responses.map(({ txId, code = '200' }) => {
    return { typeUrl: '/x', value: msgRequestResponse.encode({ code, msg: 'ok', txId }).finish() }
  })
  return TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish()
}
