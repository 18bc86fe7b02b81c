/** Renders plain text, with the parts in backticks as code. */
export function Prose({ text }: { text: string }) {
  // Every second piece is between backticks. The pieces never change their order.
  let start = 0
  return (
    <>
      {text.split('`').map((piece, index) => {
        start += piece.length + 1
        return index % 2 === 1 ? <code key={start}>{piece}</code> : piece
      })}
    </>
  )
}
