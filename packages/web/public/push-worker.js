// Receives messages of this server while no page of it is open. Shows them; opens what they are about.
self.addEventListener('push', (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Not one of ours: a notification must be shown all the same.
  }
  const shown = self.registration.showNotification(told.title ?? 'Pilotfish', {
    body: told.text ?? '',
    tag: told.id,
    icon: 'pilotfish.svg',
    data: { link: told.link ?? '/' },
  });
  event.waitUntil(shown);
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const asked = String(event.notification.data?.link ?? '/');
  // Only paths of this app, and only its own pages: others may lie at the same origin.
  const { scope } = self.registration;
  const isOwn = (url) => url.startsWith(scope);
  const wanted = new URL(asked.startsWith('/') && !asked.startsWith('//') ? `.${asked}` : '', scope).href;
  const url = isOwn(wanted) ? wanted : scope;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find((each) => 'focus' in each && isOwn(each.url));
    if (!page) return self.clients.openWindow(url);
    await page.focus();
    // A page that this worker does not control cannot be sent elsewhere by it.
    return page.navigate(url).catch(() => self.clients.openWindow(url));
  };
  event.waitUntil(open());
});
