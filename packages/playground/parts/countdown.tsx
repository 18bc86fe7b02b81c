import { now } from '../state/now.ts'
import { getQuote, isExpired, quote } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'

/** Shows the time until the quote expires. */
export function Countdown() {
  const { expiresAt } = quote.value ?? {}
  if (quote.value === undefined) return <p class="countdown muted">Expires —</p>
  if (isLocked.value) return <p class="countdown muted">This quote is used by the submission.</p>
  if (expiresAt === undefined) return <p class="countdown muted">This quote has no expiry time.</p>
  if (isExpired.value) {
    return (
      <p class="countdown expired" role="alert">
        The quote has expired.{' '}
        <button type="button" class="link" onClick={getQuote}>
          Get a new one
        </button>
      </p>
    )
  }
  return (
    <p class="countdown muted" role="timer">
      Expires in <b>{clock(Math.max(0, expiresAt.getTime() - now.value))}</b>
    </p>
  )
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
