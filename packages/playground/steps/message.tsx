import { Fact } from '../parts/fact.tsx'
import { likeSignature } from '../parts/reserved.tsx'
import { approval } from '../state/approval.ts'
import { side } from '../state/quote.ts'

/** Shows the message to sign and its signature. */
export function Message() {
  const signature = approval.value?.kind === 'signature' ? approval.value.value : undefined
  return (
    <>
      <blockquote class="message">{side.value?.message ?? 'The message comes with the quote.'}</blockquote>
      <dl class="facts">
        <Fact name="Signature" value={signature} like={likeSignature} />
      </dl>
    </>
  )
}
