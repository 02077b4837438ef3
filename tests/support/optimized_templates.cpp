// The templates of the standard library that all rooms use, optimized and linked first: of several copies of
// such a function the linker keeps the first one, and a test's is not optimized. Tests that handle much text
// take half of their time with it.
#include <map>
#include <string>
#include <vector>

namespace std {

template class basic_string<char>;
template class vector<bool>;
template class vector<double>;
template class vector<float>;
template class vector<int>;
template class vector<size_t>;
template class vector<string>;
template class map<string, string>;

}  // namespace std
