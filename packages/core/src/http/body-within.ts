/**
 * What a body brings, until its signal aborts. The built-in fetch of Node 20 forgets its signal once the request it
 * made of it was garbage-collected: an answer that stalls after its headers was waited for without end.
 * @throws the signal's reason once it aborts
 */
export async function* bodyWithin(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  signal.throwIfAborted();
  if (!response.body) return;
  const reader = response.body.getReader();
  // A read that waits ends with it, as if the body were over.
  const cut = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cut, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cut);
    cut();
  }
}

/** The whole body as text, by the rules of `bodyWithin`. */
export async function textWithin(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of bodyWithin(response, signal)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
