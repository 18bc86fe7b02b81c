import { effect, signal, untracked } from '@preact/signals'
import { askPlayground } from '../service.ts'
import { isOver, watched } from './watch.ts'

/** A webhook that the server sent to itself (plugins/app/playground.ts). */
export interface Webhook {
  readonly id: string
  readonly receivedAt: string
  readonly event: {
    readonly type: string
    readonly data: { readonly txId?: number; readonly submission?: { readonly txId?: number } }
  }
}

interface Received {
  /** Whether SERVICE_WEBHOOK_URL points to the playground. */
  readonly isReceiving: boolean
  readonly webhooks: readonly Webhook[]
}

const POLL_MS = 1000

/** Number of polls after the transfer is final, because its last webhook arrives a few seconds later. */
const LOOKS_AFTER_END = 30

export const received = signal<Received | undefined>(undefined)

export const webhooksOf = (txId: number | undefined) =>
  received.value?.webhooks.filter(
    ({ event: { data } }) => (data.txId ?? data.submission?.txId) === txId && txId !== undefined
  ) ?? []

async function poll(txId: number, isCurrent: () => boolean): Promise<void> {
  for (let looks = 0; isCurrent() && looks < LOOKS_AFTER_END; looks += isOver.peek() ? 1 : 0) {
    const next = await askPlayground<Received>('webhooks').catch(() => undefined)
    if (next !== undefined) received.value = next
    const isLast = untracked(() => webhooksOf(txId)).some(({ event }) => event.type === 'transfer.finished')
    if (isLast || received.peek()?.isReceiving === false) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

effect(() => {
  const txId = watched.value?.txId
  if (txId !== undefined) void poll(txId, () => watched.peek()?.txId === txId)
})
