import { createRoot } from 'react-dom/client';
import { ToastContainer, toast } from 'react-toastify';
import { TOAST_MS } from './toasts.ts';

const host = document.createElement('div');
document.body.append(host);
createRoot(host).render(<ToastContainer position="top-right" autoClose={TOAST_MS} theme="dark" newestOnTop limit={4} />);

export { toast };
