import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { KnowledgerError } from 'knowledger-client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { leaveIfRefused, resume, useSession } from './session.ts';
import { SignIn } from './pages/sign-in.tsx';
import './theme.ts';
import './styles.css';

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof KnowledgerError && error.status === 401) void leaveIfRefused();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // The client sends again what may succeed later.
      retry: false,
      // A browser that is offline would keep what is asked, and send it later without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

const App = () => {
  const session = useSession();
  if (session === null) {
    queries.clear();
    return <SignIn />;
  }
  return <RouterProvider router={router} />;
};

await resume();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
